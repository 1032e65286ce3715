"""Matches on a Ray cluster: the same results wherever they are played, also when a part of it dies."""

import os
import signal
import threading
import time

import pytest
import ray
from ray.cluster_utils import Cluster

from agents import AgentError
from cardenvs.core.errors import OptionError
from training.cluster import work_through
from training.matches import Match, play_matches

GAME = "twits"
MATCHES = [
    Match(GAME, 4, "expert", ("greedy", "random", "baseline"), 300, 7, {"reward": "score"}),
    Match(GAME, 2, "baseline", ("expert",), 301, 8, {}),
    Match(GAME, 2, "ismcts:simulations=5", ("greedy",), 40, 9, {"episode": "match", "target_score": 10}),
]
# Ray is polite to other processes, beside which its own would starve: here, other tests
os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - so Ray spells it


def ignore(_):
    """Nobody watches."""


def results(cluster, matches=MATCHES, advance=ignore):
    found = dict(play_matches(matches, cluster, 1, advance))
    return [found[number] for number in range(len(matches))]


@pytest.fixture(scope="module")
def here():
    return results(None)


def test_every_core_of_this_machine_comes_to_what_one_does(here):
    told = []
    try:
        assert results("local", advance=told.append) == here
        assert sum(told) == sum(match.games for match in MATCHES)
        with pytest.raises(AgentError, match=r"no agent 'exprt'.*Did you mean 'expert'"):
            results("local", [Match(GAME, 2, "exprt", ("greedy",), 20, 0, {})])
    finally:
        ray.shutdown()


def test_a_cluster_that_is_not_there_is_named():
    with pytest.raises(OptionError, match="must be local, auto or an address"):
        results("nowhere")


def test_a_person_is_not_sent_away():
    with pytest.raises(OptionError, match="can only play here"):
        results("local", [Match(GAME, 2, "human", ("greedy",), 20, 0, {})])


# --- a cluster of nodes -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nodes():
    """A cluster of a head that plays nothing, and two nodes of one core each."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    both = [cluster.add_node(num_cpus=1) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster, both
    ray.shutdown()
    cluster.shutdown()


def slow_number(number, folder):
    """What a worker does, that leaves word of its process when it begins."""
    (folder / f"{number}_{os.getpid()}").touch()
    time.sleep(1.0)
    return number * number


def test_what_a_killed_worker_had_in_hand_is_done_again(nodes, tmp_path):
    def kill():
        while not (begun := list(tmp_path.iterdir())):
            time.sleep(0.05)
        os.kill(int(begun[0].name.split("_")[1]), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    tasks = [(n, tmp_path) for n in range(4)]
    assert sorted(work_through(slow_number, tasks, "auto")) == [(n, n * n) for n in range(4)]
    killer.join()
    assert len(list(tmp_path.iterdir())) == 5


def nodes_left(expected):
    """How many nodes that play are alive, when the cluster has taken notice."""
    for _ in range(100):
        left = sum(node["Alive"] and node["Resources"].get("CPU", 0) > 0 for node in ray.nodes())
        if left == expected:
            break
        time.sleep(0.2)
    return left


def test_a_node_that_dies_costs_nothing(nodes, here):
    cluster, both = nodes
    died = []

    def kill(_):
        if not died:  # when the first of many pieces has come in, and it has others in hand
            died.append(both[0])
            cluster.remove_node(both[0], allow_graceful=False)

    assert results("auto", advance=kill) == here
    assert died and nodes_left(1) == 1


def test_a_table_has_a_place_for_each_opponent():
    with pytest.raises(AgentError, match=r"1 opponents: with 4 players there must be 3"):
        results(None, [Match(GAME, 4, "expert", ("greedy",), 20, 0, {})])
