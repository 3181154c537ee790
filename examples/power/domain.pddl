; A power grid: whether a station or a line is live follows from the closed switches (derived predicates), and a broken
; line may be mended only while it is not live.
(define (domain power)
  (:requirements :adl :derived-predicates)
  (:types station line)
  (:predicates
    (source ?s - station)
    (joins ?l - line ?s ?t - station)
    (closed ?l - line)
    (broken ?l - line)
    (live ?s - station)
    (live-line ?l - line)
    (mended ?l - line))

  (:derived (live ?s - station)
    (or (source ?s)
        (exists (?t - station ?l - line)
          (and (closed ?l) (not (broken ?l)) (or (joins ?l ?s ?t) (joins ?l ?t ?s)) (live ?t)))))

  (:derived (live-line ?l - line)
    (and (closed ?l) (exists (?s ?t - station) (and (joins ?l ?s ?t) (or (live ?s) (live ?t))))))

  (:action close
    :parameters (?l - line)
    :precondition (and (not (closed ?l)) (not (broken ?l)))
    :effect (closed ?l))

  (:action open
    :parameters (?l - line)
    :precondition (closed ?l)
    :effect (not (closed ?l)))

  (:action mend
    :parameters (?l - line)
    :precondition (and (broken ?l) (not (live-line ?l)))
    :effect (and (mended ?l) (not (broken ?l)))))
