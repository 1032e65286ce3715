"""Work shared out over processes: here, on every core of this machine, or on a Ray cluster.

Results do not depend on where work is done. Ray does again elsewhere what a worker or node that died had in hand.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cardenvs.core.errors import OptionError
from training.extras import optional

LOCAL = "local"
TRIES = 20  # of a task whose worker or node dies


def work_through(
    work: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], cluster: str, cores: int = 1
) -> Iterator[tuple[int, Any]]:
    """What `work` makes of each task on a cluster, with the task's number, as it comes in.

    Parameters
    ----------
    work
        A function of a module that all nodes have.
    cluster
        As in `connect`.
    cores
        That a task keeps busy.
    """
    ray = connect(cluster)
    remote = ray.remote(num_cpus=cores, max_retries=TRIES)(work)
    waiting = {remote.remote(*task): number for number, task in enumerate(tasks)}
    try:
        while waiting:
            for done in ray.wait(list(waiting))[0]:
                yield waiting.pop(done), fetch(ray, done)
    finally:
        for left in waiting:
            ray.cancel(left, force=True)


def fetch(ray: Any, done: Any) -> Any:
    """A result; or what was wrong, as it would have been raised here."""
    try:
        return ray.get(done)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, ValueError):
            raise error.cause from None
        raise


def connect(cluster: str) -> Any:
    """Ray, connected.

    Parameters
    ----------
    cluster
        ``"local"``: processes on every core of this machine; ``"auto"``: the cluster that this machine belongs to, or
        that RAY_ADDRESS names; or an address, as ``"ray://host:10001"``.

    Raises
    ------
    MissingExtraError
        If Ray is not installed.
    OptionError
        If there is no such cluster.
    """
    ray = optional("cluster", "ray")
    if not ray.is_initialized():
        try:
            ray.init(address=cluster, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, ValueError) as error:
            said = str(error).strip().splitlines()[0]
            raise OptionError(
                f"cluster is {cluster!r}, and cannot be reached: {said} It must be local, auto or an address "
                f"as ray://host:10001; or null, for this process."
            ) from None
    return ray


def cores_of(cluster: str) -> int:
    """How many there are."""
    return int(connect(cluster).cluster_resources().get("CPU", 1))
