; A coin that is tossed unseen until it shows heads.
(define (domain coin)
  (:requirements :strips :non-deterministic :contingent)
  (:predicates (heads) (taken))
  (:action toss :parameters () :effect (oneof (heads) (not (heads))))
  (:action look :parameters () :observe (heads))
  (:action take :parameters () :precondition (heads) :effect (taken)))
