"""Run the recipes, each where its library can be: all, `python -m docs.recipes`, or some, `python -m docs.recipes dqn`.

What fits this project's own environment runs there. The others get one each under `.venv-recipes`, made when it is
first needed. Results go to `docs/recipes/results.json`, and from there to the table of docs/recipes.md.
"""

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.elsewhere import python_with
from cardenvs.core.arguments import Arguments, run_main
from cardenvs.core.errors import choose
from training.cli import write_json

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RESULTS = HERE / "results.json"
FOLDER = ROOT / ".venv-recipes"
# By script, what its environment has beside cardenvs; nothing: this environment will do.
RECIPES: dict[str, list[str]] = {
    "maskable_ppo": [],
    "dqn": [],
    "single_file_ppo": [],
    "torchrl_ppo": [],
    "rllib_ppo": ["ray[rllib]==2.60.0", "torch==2.13.0"],
    "tianshou_dqn": ["tianshou==2.0.1", "torch==2.13.0"],
    "agilerl_ppo": ["agilerl==2.7.1", "torch==2.13.0"],
}


def python_of(recipe: str) -> str:
    """The interpreter that has a recipe's library; its environment is made if need be."""
    if not RECIPES[recipe]:
        return sys.executable
    return str(python_with(FOLDER / recipe, ["-e", ".", *RECIPES[recipe]]))


def run(recipe: str, *keys: str) -> dict[str, object]:
    """What a recipe prints last, with its command."""
    words = [f"docs/recipes/{recipe}.py", *keys]
    done = subprocess.run([python_of(recipe), *words], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    told: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return {"command": " ".join(["python", *words])} | told


def main() -> None:
    parser = Arguments("docs.recipes", __doc__.splitlines()[0])
    parser.add_argument("recipes", nargs="*", help=", ".join(RECIPES))
    chosen = [choose("recipe", recipe, RECIPES) for recipe in parser.parse_args().recipes] or list(RECIPES)
    results = json.loads(RESULTS.read_text()) if RESULTS.is_file() else {}
    for recipe in chosen:
        try:
            results[recipe] = run(recipe)
        except subprocess.CalledProcessError as error:
            print(f"{recipe} failed: {' '.join(error.cmd)}\n{error.stderr or ''}", file=sys.stderr)
            continue
        print(f"{recipe}: {results[recipe]['random']}")
        write_json(RESULTS, {name: results[name] for name in RECIPES if name in results})


if __name__ == "__main__":
    run_main(main)
