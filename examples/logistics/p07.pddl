; Three cities, one plane, seven parcels: a first plan comes at once, the best one takes a while.
(define (problem seven-parcels)
  (:domain logistics)
  (:objects
    oslo rome kyiv - city
    oslo-air rome-air kyiv-air - airport
    oslo-post oslo-dock rome-shop rome-mill kyiv-port kyiv-farm - place
    van1 van2 van3 - van
    wing - plane
    book coat lamp seed fork drum rope - parcel)
  (:init
    (part-of oslo-air oslo) (part-of oslo-post oslo) (part-of oslo-dock oslo)
    (part-of rome-air rome) (part-of rome-shop rome) (part-of rome-mill rome)
    (part-of kyiv-air kyiv) (part-of kyiv-port kyiv) (part-of kyiv-farm kyiv)
    (at van1 oslo-post) (at van2 rome-shop) (at van3 kyiv-air) (at wing kyiv-air)
    (at book oslo-post) (at coat rome-shop) (at lamp rome-air) (at seed kyiv-port)
    (at fork oslo-dock) (at drum kyiv-farm) (at rope rome-mill))
  (:goal (and (at book kyiv-port) (at coat oslo-air) (at lamp rome-mill) (at seed rome-mill)
    (at fork rome-shop) (at drum oslo-post) (at rope kyiv-farm))))
