; One parcel goes from a post office to another city's shop, one stays in its city.
(define (problem two-parcels)
  (:domain logistics)
  (:objects
    oslo rome - city
    oslo-air rome-air - airport
    oslo-post rome-shop - place
    van1 van2 - van
    wing - plane
    letter box - parcel)
  (:init
    (part-of oslo-air oslo) (part-of oslo-post oslo)
    (part-of rome-air rome) (part-of rome-shop rome)
    (at van1 oslo-air) (at van2 rome-air) (at wing rome-air)
    (at letter oslo-post) (at box rome-shop))
  (:goal (and (at letter rome-shop) (at box rome-air))))
