"""Workers: processes of this machine and of a Dask cluster."""
