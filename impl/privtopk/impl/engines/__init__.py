"""The engines: each selects the k largest noisy scores, through different accesses."""
