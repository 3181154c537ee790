; Three by three lamps, all lit.
(define (problem all-lit)
  (:domain lights)
  (:objects
    l00 l10 l20
    l01 l11 l21
    l02 l12 l22 - lamp)
  (:init
    (lit l00) (lit l10) (lit l20)
    (lit l01) (lit l11) (lit l21)
    (lit l02) (lit l12) (lit l22)
    (touches l00 l00) (touches l00 l10) (touches l00 l01)
    (touches l10 l10) (touches l10 l20) (touches l10 l00) (touches l10 l11)
    (touches l20 l20) (touches l20 l10) (touches l20 l21)
    (touches l01 l01) (touches l01 l11) (touches l01 l02) (touches l01 l00)
    (touches l11 l11) (touches l11 l21) (touches l11 l01) (touches l11 l12) (touches l11 l10)
    (touches l21 l21) (touches l21 l11) (touches l21 l22) (touches l21 l20)
    (touches l02 l02) (touches l02 l12) (touches l02 l01)
    (touches l12 l12) (touches l12 l22) (touches l12 l02) (touches l12 l11)
    (touches l22 l22) (touches l22 l12) (touches l22 l21))
  (:goal (forall (?l - lamp) (not (lit ?l)))))
