package app_test

import "context"

var ctx = context.Background()
