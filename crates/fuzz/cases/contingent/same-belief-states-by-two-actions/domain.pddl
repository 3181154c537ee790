(define (domain d)
 
 (:types Room - object hall - Room key  )
 (:predicates  (f1) (Is0 ?a0 - object)  (rel ?a0 - object ?a1 - Room)  (d1 ?a0 - object))
 
 
 
 (:derived (d1 ?v5 - object) (forall (?v6 - Room) (Is0 ?v6)))
 (:action Act :parameters (?P7 - hall ?P8 - hall)
  :precondition ()
  :observe (f1)
  :effect (oneof (Is0?p7)  (not (rel ?p7 ?p7))))
 
 
 (:action act3 :parameters (?P11 - key)
  :precondition ()
  :observe (d1 ?p11)
  :effect (Is0 ?p11))
)
