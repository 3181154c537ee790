; Three boxes through a gap of two squares, pushes count. The hall (@ keeper, $ box, . target); s31 is column 3, row 1:
;   ########
;   #   #  #
;   # $   .#
;   #@$$ ..#
;   #   #  #
;   ########
(define (problem hall-3)
  (:domain sokoban)
  (:objects
    s11 s21 s31 s51 s61 - square
    s12 s22 s32 s42 s52 s62 - square
    s13 s23 s33 s43 s53 s63 - square
    s14 s24 s34 s54 s64 - square
    up down left right - direction)
  (:init
    (keeper s13)
    (box s22) (box s23) (box s33)
    (free s11) (free s21) (free s31) (free s51) (free s61)
    (free s12) (free s32) (free s42) (free s52) (free s62)
    (free s43) (free s53) (free s63)
    (free s14) (free s24) (free s34) (free s54) (free s64)
    (beside s11 s12 down) (beside s11 s21 right)
    (beside s21 s22 down) (beside s21 s11 left) (beside s21 s31 right)
    (beside s31 s32 down) (beside s31 s21 left)
    (beside s51 s52 down) (beside s51 s61 right)
    (beside s61 s62 down) (beside s61 s51 left)
    (beside s12 s11 up) (beside s12 s13 down) (beside s12 s22 right)
    (beside s22 s21 up) (beside s22 s23 down) (beside s22 s12 left) (beside s22 s32 right)
    (beside s32 s31 up) (beside s32 s33 down) (beside s32 s22 left) (beside s32 s42 right)
    (beside s42 s43 down) (beside s42 s32 left) (beside s42 s52 right)
    (beside s52 s51 up) (beside s52 s53 down) (beside s52 s42 left) (beside s52 s62 right)
    (beside s62 s61 up) (beside s62 s63 down) (beside s62 s52 left)
    (beside s13 s12 up) (beside s13 s14 down) (beside s13 s23 right)
    (beside s23 s22 up) (beside s23 s24 down) (beside s23 s13 left) (beside s23 s33 right)
    (beside s33 s32 up) (beside s33 s34 down) (beside s33 s23 left) (beside s33 s43 right)
    (beside s43 s42 up) (beside s43 s33 left) (beside s43 s53 right)
    (beside s53 s52 up) (beside s53 s54 down) (beside s53 s43 left) (beside s53 s63 right)
    (beside s63 s62 up) (beside s63 s64 down) (beside s63 s53 left)
    (beside s14 s13 up) (beside s14 s24 right)
    (beside s24 s23 up) (beside s24 s14 left) (beside s24 s34 right)
    (beside s34 s33 up) (beside s34 s24 left)
    (beside s54 s53 up) (beside s54 s64 right)
    (beside s64 s63 up) (beside s64 s54 left)
    (= (total-cost) 0))
  (:goal (and (box s62) (box s53) (box s63)))
  (:metric minimize (total-cost)))
