"""A conformance kit: checks of any environment with action masks, each of which names what is wrong and how to fix it.

`check_aec`, `check_gymnasium`, `check_vector` and `check_batch` make all checks of one face and raise a
`ConformanceError` with all failures; ``python -m cardenvs.testing`` prints them as a table.
"""

from cardenvs.testing.aec import check_aec
from cardenvs.testing.batch import check_batch
from cardenvs.testing.report import ConformanceError, Result
from cardenvs.testing.single import check_gymnasium
from cardenvs.testing.vector import check_vector

__all__ = ["ConformanceError", "Result", "check_aec", "check_batch", "check_gymnasium", "check_vector"]
