"""Running a test: worker processes, tasks, the runner, the smoke test and the calibration."""
