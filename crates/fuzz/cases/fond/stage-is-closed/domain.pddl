(define (domain d)
 
 (:types       key  )
 (:constants o0 - key)
 (:predicates (f0) (f1) (f2) (Is0 ?a0 - key) )
 
 (:action act1 :parameters (?P4 - object)
  :precondition (not (and  (Is0 O0) (f1)))
  :effect (and (not (f0)) (f1) (oneof  (Is0 ?p4) (f2))))
 
)
