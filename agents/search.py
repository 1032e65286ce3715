"""Information-set Monte-Carlo tree search for any number of players, as compiled functions.

Single-observer ISMCTS (Cowling, Powley and Whitehouse, 2012): every simulation draws a position that the searching seat
cannot tell from the true one, walks down one tree of actions, and plays on to the end by a scripted policy. Every seat
chooses for itself, by UCB1 with the times that an action was available in place of the times that its node was visited.

The tree parts at every action, also at those that the searching seat will not see, as which card a neighbour is passed:
a simplification that makes it plan as if it were shown them later. Of the position at hand it is told nothing by that.
"""

import numpy as np

from cardenvs.core.jit import kernel, njit
from cardenvs.core.rng import mix, next_state
from cardenvs.core.state import NOBODY
from cardenvs.engine.dispatch import apply, legal, resample
from cardenvs.engine.kernels import add_rewards, choose_action


@kernel
def simulate(
    root, scratch, work, mask, gains, children, visits, available, totals, path, nodes_used, stream, count, policy, c
):  # fmt: skip
    """Run `count` simulations from `root`, (1,) a position that is possible, and add them to the tree.

    The tree: `children`, `visits`, `available` int32 and `totals` float32, all (nodes, A); node 0 is the root. `path`
    int32 (nodes + 1, 3) holds node, action and seat of a walk. `nodes_used` int64 (1,) counts the rows in use, `stream`
    uint64 (1,) holds the random numbers; `c` is the weight of exploration.
    """
    me = root[0].actor
    for _ in range(count):
        scratch[0] = root[0]
        s = scratch[0]
        resample(s, me, draw(stream))
        s.pays = False
        gains[:] = 0.0
        depth = descend(s, mask, gains, children, visits, available, totals, path, nodes_used, stream, c)
        while not is_decided(s):
            legal(s, mask)
            apply(s, choose_action(s, work[0], mask, draw(stream), policy))
            add_rewards(s, gains)
        for i in range(depth):
            node, action, seat = path[i, 0], path[i, 1], path[i, 2]
            visits[node, action] += 1
            totals[node, action] += gains[seat]


@njit
def descend(s, mask, gains, children, visits, available, totals, path, nodes_used, stream, c):
    """Walk down the tree, and one step out of it: how many decisions that were."""
    node, depth = np.int64(0), 0
    while not is_decided(s):
        legal(s, mask)
        action = choose(mask, visits[node], available[node], totals[node], draw(stream), c)
        path[depth, 0] = node
        path[depth, 1] = action
        path[depth, 2] = s.actor
        depth += 1
        apply(s, action)
        add_rewards(s, gains)
        if visits[node, action] == 0 and children[node, action] == 0:
            if nodes_used[0] < children.shape[0]:
                children[node, action] = nodes_used[0]
                nodes_used[0] += 1
            return depth
        node = np.int64(children[node, action])
        if node == 0:  # no room was left for it
            return depth
    return depth


@njit
def choose(mask, visits, available, totals, noise, c):
    """An action never tried, drawn by lot, or else the one with the highest bound; notes which were available."""
    untried = 0
    for a in range(mask.shape[0]):
        if mask[a]:
            available[a] += 1
            untried += visits[a] == 0
    if untried > 0:
        left = np.int64(noise % np.uint64(untried))
        for a in range(mask.shape[0]):
            if mask[a] and visits[a] == 0:
                if left == 0:
                    return a
                left -= 1
    best, highest = -1, -np.inf
    for a in range(mask.shape[0]):
        if mask[a]:
            bound = totals[a] / visits[a] + c * np.sqrt(np.log(available[a]) / visits[a])
            if bound > highest:
                best, highest = a, bound
    return best


@njit
def is_decided(s):
    """Whether the rewards at stake are known: at the end, and where every round pays its own, after a round."""
    return s.actor == NOBODY or (s.pays and s.score_reward)


@njit
def draw(stream):
    stream[0] = next_state(stream[0])
    return mix(stream[0])
