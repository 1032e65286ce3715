"""UNO All Wild, for 2 to 10 players: 112 cards that can all be played at any time (RULES.md)."""

from cardenvs.core.game import Game, Switch
from cardenvs.games.uno_all_wild.encoding import SECTIONS, encode
from cardenvs.games.uno_all_wild.invariants import fault_of
from cardenvs.games.uno_all_wild.layout import DECK, HAND, KINDS, MAX_CARDS, MAX_PLAYERS, PHASES, STATE, VERBS, VIEW
from cardenvs.games.uno_all_wild.policies import POLICIES, act
from cardenvs.games.uno_all_wild.portrayal import PORTRAYAL
from cardenvs.games.uno_all_wild.rules import apply, deal, legal
from cardenvs.games.uno_all_wild.snapshot import snapshot
from cardenvs.games.uno_all_wild.view import resample, view

GAME = Game(
    name="uno_all_wild",
    title="UNO All Wild",
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
    max_decisions={"round": 3_000, "match": 60_000},
    target_score=500,
    switches={
        "start_card": Switch(
            "ignore_start", ("active", "ignored"), "active", "whether the first discard happens (UAW-2)"
        ),
        "uno_calls": Switch("declares", ("auto", "declare"), "auto", "whether seats are asked to say UNO (UAW-9)"),
    },
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
)
