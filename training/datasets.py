"""Datasets of recorded decisions: a folder of Parquet files, `part_00000.parquet` and so on (docs/datasets.md).

A row is one decision of one seat, in the order of episodes and of decisions in them. All files have the same metadata.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cardenvs.core.errors import choose
from training.extras import optional

FORMAT = 1
KEY = b"cardenvs"  # of the metadata in a file's schema
COLUMNS = {  # and their types, or that of an element
    "episode": "int64",
    "key": "uint64",
    "seat": "int8",
    "agent": "string",
    "step": "int32",
    "observation": "float32",
    "action_mask": "bool_",
    "action": "int64",
    "reward": "float32",
    "return_to_go": "float32",
    "terminated": "bool_",
    "truncated": "bool_",
}
WIDE = ("observation", "action_mask")  # columns of lists, all of one size


class DatasetError(ValueError):
    """A folder that is no dataset, or not a whole one."""


def load(folder: str | Path, columns: Sequence[str] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """The metadata of a dataset, and its columns, or those named, as arrays of n rows each.

    `observation` is float32 (n, D), `action_mask` bool (n, A), `agent` strings; the others are (n,).

    Raises
    ------
    DatasetError
        If the folder holds no such dataset, or not all of its parts.
    OptionError
        If there is no such column.
    """
    metadata, parts = read_metadata(folder), part_paths(folder)
    arrays = [_read(part, columns) for part in parts]
    return metadata, {name: np.concatenate([part[name] for part in arrays]) for name in arrays[0]}


def batches(
    folder: str | Path, size: int, columns: Sequence[str] | None = None, rng: np.random.Generator | None = None
) -> Iterator[dict[str, Any]]:
    """All rows once, `size` at a time, with no more than a part in memory; the last batch may be smaller.

    With `rng` parts come in random order, and rows are shuffled within each part. Errors are those of `load`.
    """
    read_metadata(folder)
    parts = part_paths(folder)
    kept: dict[str, Any] = {}
    for number in rng.permutation(len(parts)) if rng else range(len(parts)):
        rows = _read(parts[number], columns)
        if rng:
            order = rng.permutation(_length(rows))
            rows = {name: values[order] for name, values in rows.items()}
        if kept:
            rows = {name: np.concatenate([kept[name], values]) for name, values in rows.items()}
        whole = _length(rows) // size * size
        for at in range(0, whole, size):
            yield {name: values[at : at + size] for name, values in rows.items()}
        kept = {name: values[whole:] for name, values in rows.items()}
    if _length(kept):
        yield kept


def successors(arrays: Mapping[str, Any]) -> Any:
    """int64 (n,): the row in which the same seat is next asked in the same episode, −1 where it is not any more.

    Of `episode`, `seat` and `step`, all (n,).
    """
    order = np.lexsort((arrays["step"], arrays["seat"], arrays["episode"]))
    same = np.ones(max(len(order) - 1, 0), np.bool_)
    for name in ("episode", "seat"):
        values = arrays[name][order]
        same &= values[1:] == values[:-1]
    following = np.full(len(order), -1, np.int64)
    following[order[:-1][same]] = order[1:][same]
    return following


def read_metadata(folder: str | Path) -> dict[str, Any]:
    """What a dataset says of itself: game, options, agents, names of its actions and so on.

    Raises
    ------
    DatasetError
        If the folder holds no such dataset, or not all of its parts.
    """
    parts = part_paths(folder)
    if not parts:
        raise DatasetError(f"{folder} holds no dataset: there is no part_00000.parquet in it.")
    metadata = read_part_metadata(parts[0])
    wanted = count_parts(metadata)
    missing = [number for number in range(wanted) if not part_path(folder, number).is_file()]
    if missing:
        raise DatasetError(
            f"{folder} holds {wanted - len(missing)} of {wanted} parts: the command that was stopped goes on there."
        )
    for part in parts[1:]:
        if read_part_metadata(part) != metadata:
            raise DatasetError(f"{part} is of another dataset than {parts[0].name}.")
    return metadata


def read_part_metadata(part: Path) -> dict[str, Any]:
    """What one file says of its dataset; a `DatasetError` if it is no such file."""
    pa, pq = _pyarrow()
    try:
        schema = pq.read_schema(part)
    except (pa.ArrowInvalid, OSError) as error:
        raise DatasetError(f"{part} is no Parquet file: {error}") from error
    if KEY not in (schema.metadata or {}):
        raise DatasetError(f"{part} is no part of a dataset: its schema has no metadata {KEY.decode()!r}.")
    metadata = json.loads(schema.metadata[KEY])
    if metadata["format"] != FORMAT:
        raise DatasetError(f"{part} has format {metadata['format']}: this version reads format {FORMAT}.")
    return dict(metadata)


def part_path(folder: str | Path, number: int) -> Path:
    return Path(folder) / f"part_{number:05d}.parquet"


def part_paths(folder: str | Path) -> list[Path]:
    """The parts that there are, in order."""
    return sorted(Path(folder).glob("part_*.parquet"))


def count_parts(metadata: Mapping[str, Any]) -> int:
    """How many files the whole dataset has."""
    return -(-int(metadata["episodes"]) // int(metadata["part"]))


def write_part(path: Path, arrays: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
    """A file of the columns of `COLUMNS`, each an array of n rows; `agent` int8 numbers of ``metadata["agents"]``."""
    pa, pq = _pyarrow()
    fields, columns = [], []
    for name, of in COLUMNS.items():
        values, kind = arrays[name], getattr(pa, of)()
        if name in WIDE:
            column = pa.FixedSizeListArray.from_arrays(
                pa.array(values.ravel()), type=pa.list_(pa.field("element", kind, nullable=False), values.shape[1])
            )
        elif name == "agent":
            column = pa.DictionaryArray.from_arrays(pa.array(values), pa.array(metadata["agents"], kind))
        else:
            column = pa.array(values, kind)
        fields.append(pa.field(name, column.type, nullable=False))
        columns.append(column)
    schema = pa.schema(fields, {KEY: json.dumps(metadata)})
    # Dictionaries of an observation's few values would be smaller, and slower by half to write and to read.
    narrow = [name for name in COLUMNS if name not in WIDE]
    pq.write_table(
        pa.Table.from_arrays(columns, schema=schema), path, compression="zstd", compression_level=1,
        use_dictionary=narrow, write_statistics=narrow,
    )  # fmt: skip


def _length(arrays: Mapping[str, Any]) -> int:
    return len(next(iter(arrays.values()))) if arrays else 0


def _read(part: Path, columns: Sequence[str] | None) -> dict[str, Any]:
    pa, pq = _pyarrow()
    names = [choose("column", name, COLUMNS) for name in columns] if columns is not None else list(COLUMNS)
    try:
        table = pq.read_table(part, columns=names)
    except (pa.ArrowInvalid, OSError) as error:
        raise DatasetError(f"{part} cannot be read: {error}") from error
    return {name: _as_array(pa, table[name].combine_chunks()) for name in names}


def _as_array(pa: Any, column: Any) -> Any:
    if pa.types.is_dictionary(column.type):
        return np.array(column.dictionary.to_pylist(), np.str_)[column.indices.to_numpy()]
    if pa.types.is_fixed_size_list(column.type):
        return column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), column.type.list_size)
    return column.to_numpy(zero_copy_only=False)


def _pyarrow() -> tuple[Any, Any]:
    return optional("data", "pyarrow"), optional("data", "pyarrow.parquet")
