"""Twice the Fun, for 2 to 10 players: penalties that can be sent on, cards that are given, hands that are swapped."""

from cardenvs.core.game import Game
from cardenvs.games.twice_the_fun.encoding import SECTIONS, encode
from cardenvs.games.twice_the_fun.invariants import fault_of
from cardenvs.games.twice_the_fun.layout import DECK, HAND, KINDS, MAX_CARDS, MAX_PLAYERS, PHASES, STATE, VERBS, VIEW
from cardenvs.games.twice_the_fun.policies import POLICIES, act
from cardenvs.games.twice_the_fun.portrayal import PORTRAYAL
from cardenvs.games.twice_the_fun.rules import apply, deal, legal
from cardenvs.games.twice_the_fun.snapshot import snapshot
from cardenvs.games.twice_the_fun.view import resample, view

GAME = Game(
    name="twice_the_fun",
    title="Twice the Fun",
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
    max_decisions={"round": 5_000, "match": 50_000},
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
    penalty_points=True,
)
