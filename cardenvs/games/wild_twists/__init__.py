"""Wild Twists war, for 2 players: nobody decides anything. The suite's control (RULES.md).

Any agent scores 50% in it: what scores anything else, over enough games, has found a bug in its pipeline. And since all
that happens is chance, who will win is a clean thing to learn to predict.
"""

from cardenvs.core.game import Game
from cardenvs.games.wild_twists.encoding import SECTIONS, encode
from cardenvs.games.wild_twists.invariants import fault_of
from cardenvs.games.wild_twists.layout import ACTIONS, KINDS, PHASES, PLAYERS, STATE, VIEW
from cardenvs.games.wild_twists.policies import POLICIES, act
from cardenvs.games.wild_twists.portrayal import PORTRAYAL
from cardenvs.games.wild_twists.rules import apply, deal, legal
from cardenvs.games.wild_twists.snapshot import snapshot
from cardenvs.games.wild_twists.view import resample, view

GAME = Game(
    name="wild_twists",
    title="Wild Twists war",
    players=(PLAYERS, PLAYERS),
    state=STATE,
    view_record=VIEW,
    kinds=KINDS,
    phases=PHASES,
    choices=ACTIONS,
    policies=POLICIES,
    sections=SECTIONS,
    default_deck=dict.fromkeys(KINDS, 1),
    deck_sizes=None,
    max_decisions={"round": 20_000},
    target_score=None,
    deal=deal,
    apply=apply,
    legal=legal,
    view=view,
    encode=encode,
    resample=resample,
    act=act,
    fault_of=fault_of,
    snapshot=snapshot,
    portrayal=PORTRAYAL,
    targets=False,
)
