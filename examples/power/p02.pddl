; A ring of six stations: two lines are down and the crew may not have the hospital and the school both on the ring.
(define (problem ring)
  (:domain power)
  (:objects
    plant dam mill harbour hospital school - station
    a b c d e f g - line)
  (:init
    (source plant) (source dam)
    (joins a plant mill) (joins b mill harbour) (joins c harbour hospital)
    (joins d hospital school) (joins e school dam) (joins f mill school) (joins g harbour dam)
    (closed a) (closed b) (closed c) (closed d) (closed e) (closed f)
    (broken c) (broken e))
  (:goal (and
    (not (broken c)) (not (broken e))
    (live hospital) (not (live school))
    (forall (?l - line) (or (closed ?l) (= ?l d) (= ?l e) (= ?l f))))))
