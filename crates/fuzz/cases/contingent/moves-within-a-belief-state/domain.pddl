(define (domain d)
 
 (:types    hall     )
 (:predicates  (Is0 ?a0 - hall)  (d1))
 
 (:derived (d1) (forall (?v1 - object) (Is0 ?v1)))
 (:action Act :parameters (?P2 - object)
  :precondition ( )
  :observe (d1)
  :effect (oneof  () (Is0 ?p2)))
 
 
)
