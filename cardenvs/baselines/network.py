"""Small networks that choose actions, evaluated in compiled code: the same action whatever else is in the batch.

A matrix library adds up in an order that depends on the number of rows, and a near tie may then fall otherwise. Here
every row is summed in one order; inputs that are 0, as most features and half of the hidden units are, cost nothing.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cardenvs.core.errors import OptionError
from cardenvs.core.jit import kernel, njit
from cardenvs.core.rng import BITS_11, UNIT, mix

ZERO = np.float32(0)


@dataclass(frozen=True, eq=False)
class Network:
    """A multi-layer perceptron with ReLU between its layers: observations and masks to actions.

    `weights` float32: layer by layer, its matrix (inputs, outputs) row by row and its biases. `sizes` int64: of the
    observation, of each hidden layer, and the number of actions. `encoding` is that of its observations. By default it
    plays the action that it thinks best; if `sampled`, one drawn from its probabilities, by random numbers that are a
    hash of the observation, so that it plays the same in the same position.
    """

    weights: Any = field(repr=False)
    sizes: Any
    encoding: str = "full"
    sampled: bool = False

    def __call__(self, observations: Any, masks: Any) -> Any:
        """int64 (n,) actions for observations float32 (n, D) and masks bool (n, A); 0 where none is legal.

        Raises
        ------
        OptionError
            If these are no such arrays.
        """
        observations, masks = self._require(observations, masks)
        actions = np.zeros(len(masks), np.int64)
        choose_all(self.weights, self.sizes, observations, masks, self.sampled, *self._room(), actions)
        return actions

    def probabilities(self, observations: Any, masks: Any) -> Any:
        """float32 (n, A): the chances by which a `sampled` network plays."""
        observations, masks = self._require(observations, masks)
        chances = np.zeros(masks.shape, np.float32)
        weigh_all(self.weights, self.sizes, observations, masks, *self._room(), chances)
        return chances

    def _require(self, observations: Any, masks: Any) -> tuple[Any, Any]:
        """Contiguous arrays of the shapes and types that compiled code reads."""
        for what, array, wanted, size in (
            ("observations", observations, np.float32, self.sizes[0]),
            ("masks", masks, np.bool_, self.sizes[-1]),
        ):
            if not isinstance(array, np.ndarray) or array.dtype != wanted or array.shape != (len(masks), size):
                raise OptionError(f"{what} must be {np.dtype(wanted)} (n, {size}), as many as masks.")
        return np.ascontiguousarray(observations), np.ascontiguousarray(masks)

    def _room(self) -> tuple[Any, Any]:
        widest = int(self.sizes.max()) + 1
        return np.zeros((2, widest), np.float32), np.zeros(widest, np.int64)


@kernel
def choose_all(weights, sizes, observations, masks, sampled, scratch, used, actions):
    """Fill `actions`, int64 (n,); `scratch` float32 (2, widest layer) and `used` int64 (widest layer) are room."""
    for b in range(observations.shape[0]):
        forward(weights, sizes, observations[b], scratch, used)
        logits = scratch[sizes.shape[0] % 2]
        best = best_action(logits, masks[b])
        if best >= 0:
            actions[b] = sample(logits, masks[b], best, fingerprint(observations[b])) if sampled else best


@kernel
def weigh_all(weights, sizes, observations, masks, scratch, used, chances):
    """Fill `chances`, float32 (n, A), of the legal actions."""
    for b in range(observations.shape[0]):
        forward(weights, sizes, observations[b], scratch, used)
        logits = scratch[sizes.shape[0] % 2]
        best, total = best_action(logits, masks[b]), ZERO
        for a in range(masks.shape[1]):
            chances[b, a] = np.exp(logits[a] - logits[best]) if masks[b, a] else ZERO
            total += chances[b, a]
        if total > ZERO:
            for a in range(masks.shape[1]):
                chances[b, a] /= total


@njit
def forward(weights, sizes, inputs, scratch, used):
    """Layer n, from 0, writes the first entries of row n % 2 of `scratch`: so the last one row `len(sizes)` % 2."""
    at = 0
    last = sizes.shape[0] - 2
    for layer in range(last + 1):
        outputs = scratch[layer % 2]
        multiply(weights[at:], sizes[layer], sizes[layer + 1], inputs, used, outputs)
        at += (sizes[layer] + 1) * sizes[layer + 1]
        if layer < last:
            for j in range(sizes[layer + 1]):
                outputs[j] = max(outputs[j], ZERO)
        inputs = outputs


@njit
def multiply(weights, rows, columns, inputs, used, outputs):
    """One layer, without what follows it; `used` is room for the numbers of the inputs that are not 0."""
    n = np.int64(0)
    for i in range(rows):  # without a branch, which no processor could foresee
        used[n] = i
        n += inputs[i] != ZERO
    for j in range(columns):
        outputs[j] = weights[rows * columns + j]
    for i in range(0, n - 3, 4):
        add_four(weights, used[i : i + 4], columns, inputs, outputs)
    for i in range(n - n % 4, n):
        row = weights[used[i] * columns :]
        x = inputs[used[i]]
        for j in range(columns):
            outputs[j] += x * row[j]


@njit
def add_four(weights, rows, columns, inputs, outputs):
    """Add what four inputs bring: together, so that outputs are read and written less often."""
    a, b, c, d = inputs[rows[0]], inputs[rows[1]], inputs[rows[2]], inputs[rows[3]]
    add(
        weights[rows[0] * columns :], a, weights[rows[1] * columns :], b,
        weights[rows[2] * columns :], c, weights[rows[3] * columns :], d, columns, outputs,
    )  # fmt: skip


@njit
def add(rows_a, a, rows_b, b, rows_c, c, rows_d, d, columns, outputs):
    for j in range(columns):
        outputs[j] += a * rows_a[j] + b * rows_b[j] + c * rows_c[j] + d * rows_d[j]


@njit
def best_action(logits, mask):
    """The legal action with the highest logit, the first of equals; −1 if none is legal."""
    best = -1
    for a in range(mask.shape[0]):
        if mask[a] and (best < 0 or logits[a] > logits[best]):
            best = a
    return best


@njit
def sample(logits, mask, best, noise):
    """An action drawn by the softmax of the legal logits."""
    total = 0.0
    for a in range(mask.shape[0]):
        if mask[a]:
            total += np.exp(logits[a] - logits[best])
    left = (noise >> BITS_11) * UNIT * total
    for a in range(mask.shape[0]):
        if mask[a]:
            left -= np.exp(logits[a] - logits[best])
            if left < 0.0:
                return a
    return best


@njit
def fingerprint(observation):
    """64 bits that a hash of an observation's features gives."""
    bits = np.uint64(observation.shape[0])
    for i in range(observation.shape[0]):
        if observation[i] != ZERO:
            bits = mix(bits ^ (np.uint64(i) + np.uint64(np.int64(observation[i] * np.float32(1 << 20)) << 12)))
    return bits
