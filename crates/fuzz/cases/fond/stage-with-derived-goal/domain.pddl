(define (domain d)
 
 (:types Room   hall   key  )
 (:predicates  (f1)  (Is0 ?a0 - key) (rel ?a0 - key ?a1 - key) (d0 ?a0 - Room) )
 (:derived (d0 ?v1 - Room) (not (f1)))
 
 
 
 (:action act2 :parameters (?P9 - object ?P10 - Room)
  :precondition (forall (?v11 - hall) (= ?v11 ?p9))
  :effect (and (not (f1)) (oneof (Is0 ?p9)  (f1))))
 (:action act3 :parameters (?P13 - Room ?P14 - key)
  :precondition (rel ?p14 ?p14)
  :effect (and (not (rel ?p14 ?p14)) (oneof () (not (Is0 ?p14)) )))
)
