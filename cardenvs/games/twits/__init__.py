"""The Twits Card Game, for 2 to 5 players: bank sets of three, pass what you do not want to the left."""

from cardenvs.core.game import Game
from cardenvs.games.twits.encoding import SECTIONS, encode
from cardenvs.games.twits.invariants import fault_of
from cardenvs.games.twits.layout import DECK, HAND, KINDS, MAX_CARDS, MAX_PLAYERS, PHASES, STATE, VERBS, VIEW
from cardenvs.games.twits.policies import POLICIES, act
from cardenvs.games.twits.portrayal import PORTRAYAL
from cardenvs.games.twits.rules import apply, deal, legal
from cardenvs.games.twits.snapshot import snapshot
from cardenvs.games.twits.view import resample, view

GAME = Game(
    name="twits",
    title="The Twits",
    players=(2, MAX_PLAYERS),
    state=STATE,
    view_record=VIEW,
    kinds=KINDS,
    phases=PHASES,
    choices=(*KINDS, *VERBS),
    policies=POLICIES,
    sections=SECTIONS,
    default_deck=DECK,
    deck_sizes=lambda num_players: (HAND * num_players + 1, MAX_CARDS),
    max_decisions={"round": 2_000, "match": 40_000},
    target_score=100,
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
