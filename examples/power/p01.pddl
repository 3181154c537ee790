; The line to the hospital is broken and must be mended with the current off, while the school stays dark to the end.
(define (problem storm)
  (:domain power)
  (:objects
    plant mill harbour hospital school - station
    l1 l2 l3 l4 l5 - line)
  (:init
    (source plant)
    (joins l1 plant mill) (joins l2 mill harbour) (joins l3 harbour hospital)
    (joins l4 mill school) (joins l5 plant harbour)
    (closed l1) (closed l3) (closed l4)
    (broken l3))
  (:goal (and
    (mended l3)
    (live hospital) (live harbour) (not (live school))
    (forall (?l - line) (imply (live-line ?l) (not (broken ?l)))))))
