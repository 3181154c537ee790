; The vase and the lamp are fragile, the vault lets only the ledger in; everything must lie where it belongs, off the cart.
(define (problem morning-round)
  (:domain mailcart)
  (:objects
    lobby office vault attic - floor
    vase lamp ledger parcel - mail)
  (:init
    (cart-at lobby)
    (at vase lobby) (at lamp lobby) (at ledger office) (at parcel lobby)
    (fragile vase) (fragile lamp)
    (guarded vault) (cleared ledger vault))
  (:goal (and
    (at vase attic) (at lamp office) (at ledger vault) (at parcel attic)
    (forall (?m - mail) (not (loaded ?m))))))
