; A cart in an office building: what lies on it moves with it (conditional effects), it carries at most one fragile
; thing (negated existential precondition), and a floor is locked while something that does not belong there is on the cart
; (universal precondition with implication).
(define (domain mailcart)
  (:requirements :adl)
  (:types floor mail)
  (:predicates
    (cart-at ?f - floor)
    (at ?m - mail ?f - floor)
    (loaded ?m - mail)
    (fragile ?m - mail)
    (guarded ?f - floor)
    (cleared ?m - mail ?f - floor))

  (:action ride
    :parameters (?from ?to - floor)
    :precondition (and
      (cart-at ?from)
      (not (= ?from ?to))
      (imply (guarded ?to) (forall (?m - mail) (imply (loaded ?m) (cleared ?m ?to)))))
    :effect (and
      (cart-at ?to) (not (cart-at ?from))
      (forall (?m - mail)
        (when (loaded ?m) (and (at ?m ?to) (not (at ?m ?from)))))))

  (:action load
    :parameters (?m - mail ?f - floor)
    :precondition (and
      (cart-at ?f) (at ?m ?f) (not (loaded ?m))
      (or (not (fragile ?m)) (not (exists (?n - mail) (and (fragile ?n) (loaded ?n))))))
    :effect (loaded ?m))

  (:action tip
    :parameters (?f - floor)
    :precondition (and (cart-at ?f) (exists (?m - mail) (loaded ?m)))
    :effect (forall (?m - mail) (when (loaded ?m) (not (loaded ?m))))))
