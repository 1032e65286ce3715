"""Where a run's numbers go: TensorBoard, Weights & Biases or MLflow. A resumed run goes on in the same place."""

import json
import os
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from omegaconf import DictConfig, OmegaConf
from rich.console import Console

from cardenvs.core.errors import choose
from training.cli import leaves, one_line, write_json
from training.extras import optional

PROJECT = "cardenvs"
IDS = "tracker.json"  # in a run's folder: what trackers call it


class TrackerError(ValueError):
    """A tracker that cannot be begun."""


class Backend(Protocol):
    """`where` says how to look at it. What cannot be written is an `OSError`."""

    where: str

    def log(self, numbers: Mapping[str, float], step: int) -> None: ...
    def keep(self, file: Path) -> None: ...
    def close(self) -> None: ...


class Tracker:
    """Numbers and files of a run, to whatever it is that takes them; given up where they cannot be written."""

    def __init__(self, backend: Backend | None, console: Console) -> None:
        self.backend = backend
        self.console = console
        self.where = f" ({backend.where})" if backend else ""

    def log(self, numbers: Mapping[str, float], step: int) -> None:
        """Numbers by name, at so many learner steps."""
        self._tell("log", {plain_name(name): float(number) for name, number in numbers.items()}, step)

    def keep(self, *files: Path) -> None:
        """Copies of those files that there are."""
        for file in files:
            if file.is_file():
                self._tell("keep", file)

    def close(self) -> None:
        self._tell("close")

    def _tell(self, what: str, *args: Any) -> None:
        if self.backend is None:
            return
        try:
            getattr(self.backend, what)(*args)
        except OSError as error:
            self.console.print(f"No more for {type(self.backend).__name__}: {error}.")
            self.backend = None


class TensorBoard:
    """Event files in the run's folder, where files are kept anyway."""

    def __init__(self, folder: Path, config: Mapping[str, Any]) -> None:
        self.writer = optional("train", "torch.utils.tensorboard").SummaryWriter(str(folder))
        self.where = f"TensorBoard: tensorboard --logdir {folder}"

    def log(self, numbers: Mapping[str, float], step: int) -> None:
        for name, number in numbers.items():
            self.writer.add_scalar(name, number, step)
        self.writer.flush()

    def keep(self, file: Path) -> None:
        pass

    def close(self) -> None:
        self.writer.close()


class WandB:
    """Weights & Biases, as its own variables of the environment say: with WANDB_MODE=offline in the run's folder."""

    def __init__(self, folder: Path, config: Mapping[str, Any]) -> None:
        wandb = optional("trackers", "wandb")
        number = ids(folder).get("wandb") or uuid4().hex[:12]
        try:
            self.run = wandb.init(
                project=os.environ.get("WANDB_PROJECT", PROJECT), dir=str(folder), id=number, resume="allow",
                name=folder.name, config=dict(config), settings=wandb.Settings(quiet=True),
            )  # fmt: skip
        except wandb.errors.Error as error:
            raise TrackerError(f"tracker wandb: {one_line(error)} WANDB_MODE=offline needs no account.") from error
        keep_id(folder, "wandb", number)
        self.run.define_metric("*", step_metric="learner_steps")  # its own steps cannot go back, as a resumed run does
        here = str(self.run.dir).removesuffix("/files")
        self.where = f"Weights & Biases: {f'wandb sync {here}' if self.run.offline else self.run.url}"

    def log(self, numbers: Mapping[str, float], step: int) -> None:
        self.run.log({**numbers, "learner_steps": step})

    def keep(self, file: Path) -> None:
        # In a folder of the run's name: Weights & Biases has a config.yaml of its own.
        self.run.save(str(file.absolute()), base_path=str(file.absolute().parents[1]), policy="now")

    def close(self) -> None:
        self.run.finish()


class MLflow:
    """MLflow, where MLFLOW_TRACKING_URI says; else files in the run's folder."""

    def __init__(self, folder: Path, config: Mapping[str, Any]) -> None:
        mlflow = optional("trackers", "mlflow")
        store, told = os.environ.get("MLFLOW_TRACKING_URI"), ""
        if store is None:
            store, told = (folder / "mlflow").absolute().as_uri(), "MLFLOW_ALLOW_FILE_STORE=true "
            os.environ.setdefault("MLFLOW_ALLOW_FILE_STORE", "true")  # else it refuses files
        self.failed, self.metric = mlflow.exceptions.MlflowException, mlflow.entities.Metric
        self.where = f"MLflow: {told}mlflow ui --backend-store-uri {store}"
        try:
            self.client = mlflow.MlflowClient(store)
            self.number = ids(folder).get("mlflow") or self._begin(folder, config)
            self.client.update_run(self.number, status="RUNNING")
        except self.failed as error:
            raise TrackerError(f"tracker mlflow: {one_line(error)}") from error
        keep_id(folder, "mlflow", self.number)

    def _begin(self, folder: Path, config: Mapping[str, Any]) -> str:
        name = os.environ.get("MLFLOW_EXPERIMENT_NAME", PROJECT)
        experiment = self.client.get_experiment_by_name(name)
        experiment_id = experiment.experiment_id if experiment else self.client.create_experiment(name)
        number = str(self.client.create_run(experiment_id, run_name=folder.name).info.run_id)
        for key, value in leaves(config):
            self.client.log_param(number, plain_name(key), value)
        return number

    def log(self, numbers: Mapping[str, float], step: int) -> None:
        now = int(time.time() * 1000)
        metrics = [self.metric(name, number, now, step) for name, number in numbers.items()]
        self._call(self.client.log_batch, self.number, metrics=metrics)

    def keep(self, file: Path) -> None:
        self._call(self.client.log_artifact, self.number, str(file))

    def close(self) -> None:
        self._call(self.client.set_terminated, self.number)

    def _call(self, function: Any, *args: Any, **kwargs: Any) -> None:
        try:
            function(*args, **kwargs)
        except self.failed as error:
            raise OSError(one_line(error)) from error


BACKENDS: Mapping[str, Any] = {"tensorboard": TensorBoard, "wandb": WandB, "mlflow": MLflow, "none": None}
EXTRA = ("wandb", "mlflow")  # trackers that are modules of that name


def check_tracker(config: DictConfig) -> str:
    """A config's tracker; an `OptionError` if there is none of that name, a `MissingExtraError` if it is not installed.

    Configs of runs that were begun before there was a choice have TensorBoard.
    """
    chosen = choose("tracker", config.get("tracker", "tensorboard"), BACKENDS)
    if chosen in EXTRA:
        optional("trackers", chosen)
    return chosen


def open_tracker(config: DictConfig, folder: Path, console: Console) -> Tracker:
    """A config's tracker for the run in a folder, which is made; it goes on there if it has been there before.

    Raises
    ------
    OptionError, MissingExtraError, TrackerError
        If there is no such tracker, it is not installed, or it cannot be begun.
    """
    backend = BACKENDS[check_tracker(config)]
    if backend is None:
        return Tracker(None, console)
    folder.mkdir(parents=True, exist_ok=True)
    return Tracker(backend(folder, OmegaConf.to_container(config, resolve=True)), console)


def ids(folder: Path) -> dict[str, str]:
    """What trackers call the run in a folder, by tracker."""
    path = folder / IDS
    return dict(json.loads(path.read_text())) if path.is_file() else {}


def keep_id(folder: Path, name: str, number: str) -> None:
    write_json(folder / IDS, ids(folder) | {name: number})


def plain_name(name: str) -> str:
    """A name of letters that all trackers take."""
    return re.sub(r"[^\w./ -]", "_", name)
