; Three cities in a row of errands: four parcels, one plane.
(define (problem four-parcels)
  (:domain logistics)
  (:objects
    oslo rome kyiv - city
    oslo-air rome-air kyiv-air - airport
    oslo-post rome-shop rome-mill kyiv-port - place
    van1 van2 van3 - van
    wing - plane
    book coat lamp seed - parcel)
  (:init
    (part-of oslo-air oslo) (part-of oslo-post oslo)
    (part-of rome-air rome) (part-of rome-shop rome) (part-of rome-mill rome)
    (part-of kyiv-air kyiv) (part-of kyiv-port kyiv)
    (at van1 oslo-post) (at van2 rome-shop) (at van3 kyiv-air) (at wing kyiv-air)
    (at book oslo-post) (at coat rome-shop) (at lamp rome-air) (at seed kyiv-port))
  (:goal (and (at book kyiv-port) (at coat oslo-air) (at lamp rome-mill) (at seed rome-mill))))
