"""RLCard's uno: random decisions a second by its own loop."""

import json
import time

import rlcard
from rlcard.agents import RandomAgent

GAMES = 60


def decisions_a_second() -> float:
    env = rlcard.make("uno", config={"seed": 0})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    began = time.perf_counter()
    played = [env.run(is_training=False)[0] for _ in range(GAMES)]
    seconds = time.perf_counter() - began
    # a seat's trajectory holds its states and actions in turn, and its last state
    return sum(len(trajectory) // 2 for trajectories in played for trajectory in trajectories) / seconds


if __name__ == "__main__":
    print(json.dumps({"uno, its own loop": decisions_a_second()}))
