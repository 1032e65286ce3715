"""The tables of README and docs, from the code and from what was measured: `python -m docs.tables` rewrites them."""

import json
import re
from pathlib import Path
from typing import Any

from benchmarks.numbers import in_words, shorten
from cardenvs import games
from cardenvs.core.sections import rows

DOCS = Path(__file__).resolve().parent
MEASURED = DOCS / "benchmarks"
RESULTS = DOCS / "results"
PAGES = [
    DOCS.parent / "README.md",
    DOCS / "benchmarks.md",
    DOCS / "results.md",
    DOCS / "recipes.md",
    *(DOCS / "games" / f"{name}.md" for name in games.VERSIONS),
]
MOST = 4  # players of the tables, or as many as there can be


def players_of(name: str) -> int:
    return min(MOST, games.get(name).players[1])


def facts_table(name: str) -> str:
    """What a user looks for first."""
    game, players = games.get(name), players_of(name)
    fewest, most = game.players
    actions = [f"{len(game.actions(p))} with {p}" for p in sorted({fewest, players, most})]
    sizes = [
        f"{game.observation_size(p)} (`compact`: {game.observation_size(p, 'compact')}) with {p}"
        for p in sorted({fewest, players, most})
    ]
    facts = {
        "import": f"`from cardenvs import {name}_v{games.VERSIONS[name]}`",
        "Gymnasium": f"`{games.env_id(name)}`",
        "PettingZoo": f"`cardenvs/{name}-v{games.VERSIONS[name]}`",
        "interfaces": "AEC, parallel" if name in games.SIMULTANEOUS else "AEC",
        "players": f"{fewest} to {most}" if fewest < most else f"{fewest}",
        "agents": f"`player_0` … `player_{players - 1}`, by seat",
        "cards": f"{sum(game.default_deck.values())} of {len(game.kinds)} kinds",
        "phases": ", ".join(f"`{phase}`" for phase in game.phases),
        "actions": "discrete: " + "; ".join(actions),
        "observation": "float32, in [−1, 1]: " + "; ".join(sizes),
        "scripted opponents": ", ".join(f"`{policy}`" for policy in game.policies),
        "cap": ", ".join(f"{cap:,} decisions a {episode}" for episode, cap in game.max_decisions.items()),
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {what} | {fact} |" for what, fact in facts.items())])


def observation_table(name: str) -> str:
    """First feature, length, name and meaning of every section."""
    game, players = games.get(name), players_of(name)
    lines = ["| index | length | section | meaning |", "|---|---|---|---|"]
    for first, length, section, meaning in rows(game.sections, players):
        lines.append(f"| {first} | {length} | `{section}` | {meaning} |")
    full, compact = (game.observation_size(players, encoding) for encoding in ("full", "compact"))
    lines.append("")
    lines.append(
        f'{full} features in all; `encoding="compact"` has the first {compact}, without what a seat remembers.'
    )
    return "\n".join(lines)


def action_table(name: str) -> str:
    """Index and name of every action."""
    actions = games.get(name).actions(players_of(name))
    lines = ["| index | action |", "|---|---|"]
    lines.extend(f"| {index} | `{action}` |" for index, action in enumerate(actions))
    return "\n".join(lines)


def option_table(name: str) -> str:
    """The game's own options."""
    lines = ["| option | values, default first | meaning |", "|---|---|---|"]
    for option, switch in games.get(name).switches.items():
        values = sorted(switch.choices, key=lambda value: value != switch.default)
        lines.append(f"| `{option}` | {', '.join(f'`{value}`' for value in values)} | {switch.meaning} |")
    return "\n".join(lines)


# --- what was measured ------------------------------------------------------------------------------------------------

SUMMARY = (
    "decisions/s in a kernel",
    "decisions/s, BatchGame, 1,024 games, observation",
    "µs, AEC env(), last() and step()",
    "learner steps/s, Gymnasium",
    "learner steps/s, vector, 1,024 games",
    "MaskablePPO, steps/s",
    "s, import cardenvs",
    "s, first process ever to its 100th step",
    "s, later process to its 100th step",
)
START = "start and learning"  # the column that does not belong to a number of players


def measured(what: str) -> Any:
    """The results of a benchmark."""
    return json.loads((MEASURED / f"{what}.json").read_text(encoding="utf-8"))


def table_of(columns: dict[str, dict[str, list[float]]], names: Any) -> str:
    """Medians with their ranges, a row for each name."""
    lines = [f"| what | {' | '.join(columns)} |", "|---" * (1 + len(columns)) + "|"]
    for name in names:
        cells = [in_words(column[name]) if name in column else "" for column in columns.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def speed_table(name: str) -> str:
    """Everything that is measured of a game by number of players."""
    columns = {players: rows for players, rows in measured("speed")["games"][name].items() if players != START}
    return table_of(columns, next(iter(columns.values())))


def start_table(name: str) -> str:
    """How long it takes to start, and how fast MaskablePPO learns."""
    rows = measured("speed")["games"][name][START]
    return table_of({f"{players_of(name)} players": rows}, rows)


def summary_table(_: str) -> str:
    """The main numbers of all games."""
    columns = {}
    for name, results in measured("speed")["games"].items():
        columns[games.get(name).title] = results[f"{players_of(name)} players"] | results[START]
    return table_of(columns, SUMMARY)


def peers_table(_: str) -> str:
    """Ours beside theirs."""
    lines = ["| of ours | | beside | | ratio, median (range) |", "|---|---|---|---|---|"]
    for row in measured("peers")["rows"]:
        ratio = f"{row['ratio']:.1f} ({row['lowest']:.1f} to {row['highest']:.1f})"
        unit = " µs" if row["unit"] == "µs" else "/s"
        ours, theirs = (shorten(row[key]) + unit for key in ("our_median", "their_median"))
        lines.append(f"| {row['ours']} | {ours} | {row['peer']}: {row['theirs']} | {theirs} | {ratio} |")
    return "\n".join(lines)


def machine_table(_: str) -> str:
    """What was measured on, and with which versions."""
    machine, peers = measured("speed")["machine"], measured("peers")
    facts = {
        "machine": f"{machine['platform']}, {machine['cores']} cores",
        "Python": machine["python"],
        "ours": ", ".join(f"{name} {version}" for name, version in machine["versions"].items()),
        "beside us": "; ".join(", ".join(packages) for packages in peers["versions"].values()),
        "left out": "; ".join(f"{peer}: {reason}" for peer, reason in peers["missing"].items()) or "nothing",
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {what} | {fact} |" for what, fact in facts.items())])


# --- results of agents ------------------------------------------------------------------------------------------------

OPPONENTS = ("random", "greedy", "expert", "baseline")


def played(name: str) -> dict[int, list[dict[str, Any]]]:
    """What `training.results` has kept of a game, by number of players."""
    files = {int(path.stem.split("_")[-1][:-1]): path for path in RESULTS.glob(f"{name}_*p.json")}
    return {players: json.loads(files[players].read_text(encoding="utf-8")) for players in sorted(files)}


def with_baseline(name: str) -> dict[int, list[dict[str, Any]]]:
    """The same, where there are baselines."""
    return {
        players: results for players, results in played(name).items() if any(r["name"] == "seed 0" for r in results)
    }


def results_table(name: str) -> str:
    """Of each number of players: win rates with intervals, and payoffs, by agent and opponents."""
    blocks = []
    for players, results in played(name).items():
        cells = {(result["name"], result["other"]): result for result in results}
        others = [other for other in OPPONENTS if any(met == other for _, met in cells)]
        deals = {result["name"]: result["deals"] for result in results}
        lines = [f"| {players} players, fair share {1 / players:.1%} | deals | {' | '.join(others)} |"]
        lines.append("|---" * (2 + len(others)) + "|")
        for agent, count in deals.items():
            row = [rate_and_payoff(cells[agent, other]) if (agent, other) in cells else "" for other in others]
            lines.append(f"| {agent} | {count:,} | {' | '.join(row)} |")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def rate_and_payoff(result: dict[str, Any]) -> str:
    """A win rate with its interval, and the payoff behind it."""
    return f"{percentage(result['win_rate'])} ({result['payoff']['mean']:+.3f})"


def percentage(rate: dict[str, float]) -> str:
    return f"{rate['mean']:.1%} [{100 * rate['low']:.1f}, {100 * rate['high']:.1f}]"


def training_table(_: str) -> str:
    """What each seed took, and what it then won from the expert."""
    lines = ["| game | players | seed | learner steps | minutes | against `expert` |", "|---" * 6 + "|"]
    for name in games.VERSIONS:
        for players, results in with_baseline(name).items():
            rates = {result["name"]: result["win_rate"] for result in results if result["other"] == "expert"}
            runs = json.loads((RESULTS / f"{name}_{players}p_training.json").read_text(encoding="utf-8"))
            for run in runs:
                rate = percentage(rates[f"seed {run['seed']}"])
                steps, minutes = f"{run['learner_steps'] / 1e6:.1f} M", f"{run['seconds'] / 60:.0f}"
                lines.append(f"| {games.get(name).title} | {players} | {run['seed']} | {steps} | {minutes} | {rate} |")
    return "\n".join(lines)


def ladder_table(_: str) -> str:
    """The baseline of every game against tables of each scripted policy."""
    lines = ["| `baseline` of | players | fair share | `random` | `greedy` | `expert` |", "|---" * 6 + "|"]
    for name in games.VERSIONS:
        for players, results in with_baseline(name).items():
            rates = {result["other"]: result["win_rate"] for result in results if result["name"] == "seed 0"}
            row = " | ".join(percentage(rates[other]) for other in ("random", "greedy", "expert"))
            lines.append(f"| {games.get(name).title} | {players} | {1 / players:.0%} | {row} |")
    return "\n".join(lines)


def gains_table(_: str) -> str:
    """How many independent games a game of a duplicate deal is worth."""
    pairs = (("expert", "greedy"), ("expert", "random"), ("seed 0", "expert"))
    lines = [f"| game | players | {' | '.join(f'{a} against {b}' for a, b in pairs)} |", "|---" * 5 + "|"]
    for name in games.VERSIONS:
        for players, results in with_baseline(name).items():
            gains = {(result["name"], result["other"]): result["gain"] for result in results}
            row = " | ".join(f"{gains[pair]:.2f}" if gains[pair] else "" for pair in pairs)
            lines.append(f"| {games.get(name).title} | {players} | {row} |")
    return "\n".join(lines)


def exploiters_table(_: str) -> str:
    """What was won from each baseline by a network that was trained against it alone."""
    lines = ["| baseline of | players | fair share | the exploiter wins | its payoff |", "|---" * 5 + "|"]
    for name in games.VERSIONS:
        for players in with_baseline(name):
            result = json.loads((RESULTS / f"best_response_{name}_{players}p.json").read_text(encoding="utf-8"))
            payoff = "{mean:+.3f} [{low:+.3f}, {high:+.3f}]".format(**result["payoff"])
            row = f"{players} | {1 / players:.0%} | {percentage(result['win_rate'])} | {payoff}"
            lines.append(f"| {games.get(name).title} | {row} |")
    return "\n".join(lines)


def recipes_table(_: str) -> str:
    """Each library's recipe: what it was given, how fast it learnt and what came out."""
    recipes = json.loads((DOCS / "recipes" / "results.json").read_text(encoding="utf-8"))
    head = (
        "library",
        "games at once",
        "rewards it learns from",
        "learner steps",
        "steps/s",
        "against random",
        "command",
    )
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for recipe in recipes.values():
        result = recipe["random"]
        wins, half = result["wins"], result["half"]
        cells = [
            f"{recipe['library']} {recipe['version']}", f"{recipe['games']:,}", recipe["seats"],
            f"{recipe['training']['decisions']:,}", f"{recipe['steps/s']:,.0f}",
            percentage({"mean": wins, "low": wins - half, "high": wins + half}), f"`{recipe['command']}`",
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


WAYS = {"ppo": "PPO, entropy bonus", "magnet": "PPO, KL magnet", "action_values": "Monte-Carlo action values"}


def alternatives_table(_: str) -> str:
    """Ways to learn, by game, and what the network of each seed won from the expert."""
    results = json.loads((RESULTS / "alternatives.json").read_text(encoding="utf-8"))
    seeds = sorted({result["seed"] for result in results})
    head = ("game", "players", "way", *(f"seed {seed}" for seed in seeds))
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for name, players in dict.fromkeys((result["game"], result["players"]) for result in results):
        for way, title in WAYS.items():
            rates = {
                r["seed"]: r["win_rate"] for r in results if (r["game"], r["players"], r["way"]) == (name, players, way)
            }
            row = " | ".join(percentage(rates[seed]) for seed in seeds)
            lines.append(f"| {games.get(name).title} | {players} | {title} | {row} |")
    return "\n".join(lines)


TABLES = {
    "facts": facts_table,
    "observation": observation_table,
    "actions": action_table,
    "options": option_table,
    "speed": speed_table,
    "start": start_table,
    "summary": summary_table,
    "peers": peers_table,
    "machine": machine_table,
    "results": results_table,
    "training": training_table,
    "ladder": ladder_table,
    "gains": gains_table,
    "exploiters": exploiters_table,
    "recipes": recipes_table,
    "alternatives": alternatives_table,
}
MARKED = re.compile(r"<!-- (\w+) (\w+) -->\n.*?<!-- end of \1 \2 -->", re.DOTALL)


def insert(text: str) -> str:
    """`text` with every table between its markers, `<!-- game table -->` and `<!-- end of game table -->`, replaced."""

    def table(found: re.Match[str]) -> str:
        name, kind = found.groups()
        return f"<!-- {name} {kind} -->\n{TABLES[kind](name)}\n<!-- end of {name} {kind} -->"

    return MARKED.sub(table, text)


def main() -> None:
    for page in PAGES:
        page.write_text(insert(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
