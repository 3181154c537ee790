; One lamp is lit, and the light can be passed along a wire.
(define (domain lamps)
  (:predicates (lit ?l) (wire ?a ?b))
  (:action pass
    :parameters (?a ?b)
    :precondition (and (lit ?a) (wire ?a ?b))
    :effect (and (lit ?b) (not (lit ?a)))))
