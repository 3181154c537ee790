; The pier can be reached with one filling only if the van starts full, and it does not: the hard goal is out of reach.
(define (problem too-far)
  (:domain parcels)
  (:objects depot mill farm pier - place a - parcel)
  (:init
    (van-at depot) (at a depot)
    (road depot mill) (road mill depot) (road mill farm) (road farm mill) (road farm pier) (road pier farm)
    (= (miles depot mill) 2) (= (miles mill depot) 2)
    (= (miles mill farm) 3) (= (miles farm mill) 3)
    (= (miles farm pier) 4) (= (miles pier farm) 4)
    (= (fuel) 8) (= (tank) 8) (= (load) 0) (= (room) 2) (= (price) 4.25) (= (spent) 0))
  (:goal (and (at a pier) (preference home (van-at depot))))
  (:metric minimize (+ (spent) (* (is-violated home) 3))))
