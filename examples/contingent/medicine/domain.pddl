; One of several illnesses; the wrong medicine harms. A stain tells the illness once it has been made.
(define (domain medicine)
  (:requirements :strips :typing :conditional-effects :contingent)
  (:types illness)
  (:predicates (ill ?i - illness) (stained) (shows ?i - illness) (harmed) (well))
  (:action stain
    :parameters ()
    :effect (and (stained) (forall (?i - illness) (when (ill ?i) (shows ?i)))))
  (:action inspect
    :parameters (?i - illness)
    :precondition (stained)
    :observe (shows ?i))
  (:action medicate
    :parameters (?i - illness)
    :precondition (not (harmed))
    :effect (and (when (ill ?i) (and (well) (not (ill ?i))))
                 (when (not (ill ?i)) (harmed)))))
