"""Other packages: `axelrod`, `openspiel`, `chess` and `endplay`, each a module here that needs the package of that name."""
