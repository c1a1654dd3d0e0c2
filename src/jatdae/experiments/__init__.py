"""Experiments: from patients in FHIR to scripts, to conversations with models, to the events that `dialogue` scores."""
