(define (domain d)
 
 (:types    hall   key  )
 
 (:predicates (f0) (f1) (Is0 ?a0 - key) (Is1 ?a0 - key) (d0 ?a0 - hall))
 (:functions (n0 ?a0 - hall)  )
 (:derived (d0 ?v1 - hall) (not (f1)))
 
 (:action act1 :parameters (?P2 - object)
  :precondition (d0 ?p2)
  :effect (and (Is0 ?p2) (when (or (Is1 ?p2) (not (not (Is0 ?p2))) (<= 3 (n0 ?p2))) (and (Is1 ?p2) (when (not (>= (n0 ?p2) 3)) (f0)) )) (assign (n0 ?p2) 2)))
 
)
