"""What several checks or theorems share: exact numbers, games, served noise, premises."""
