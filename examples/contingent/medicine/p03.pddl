(define (problem three) (:domain medicine)
  (:objects flu measles mumps - illness)
  (:init (oneof (ill flu) (ill measles) (ill mumps)))
  (:goal (and (well) (not (harmed)))))
