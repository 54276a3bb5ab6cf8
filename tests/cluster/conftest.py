from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cluster.standalone import Cluster, standalone_cluster


@pytest.fixture(scope="session")
def running_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with standalone_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def cluster(running_cluster: Cluster) -> Cluster:
    """One cluster for all tests: a master and two workers of one core each, whatever the test before did to it."""
    running_cluster.restore()
    return running_cluster
