"""Card games as reinforcement-learning environments: exact rules, every number of players, compiled."""
from cardenvs.engine.batch import BatchGame
