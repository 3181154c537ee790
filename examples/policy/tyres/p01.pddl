; The short road has no spare on it. The long one has them in every town, and is safe whatever happens.
(define (problem two-roads)
  (:domain tyres)
  (:objects home ford mill inn farm port - town)
  (:init (car home)
    (road home ford) (road ford port)
    (road home mill) (road mill inn) (road inn farm) (road farm port) (road ford inn)
    (spare mill) (spare inn) (spare farm))
  (:goal (car port)))
