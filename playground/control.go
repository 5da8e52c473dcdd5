package playground

import "net/http"

func (p *Playground) controls() http.Handler { return http.NotFoundHandler() }
