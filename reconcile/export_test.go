package reconcile

// Forget drops what this process knows of issues.
func (r *Reconciler) Forget() { r.memories.of.Purge() }
