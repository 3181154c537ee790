; The same hall, and every step counts. The hall (@ keeper, $ box, . target); s31 is column 3, row 1:
;   #######
;   #  .  #
;   # $#  #
;   # @ $ #
;   #  .  #
;   #######
(define (problem hall-2)
  (:domain sokoban)
  (:objects
    s11 s21 s31 s41 s51 - square
    s12 s22 s42 s52 - square
    s13 s23 s33 s43 s53 - square
    s14 s24 s34 s44 s54 - square
    up down left right - direction)
  (:init
    (keeper s23)
    (box s22) (box s43)
    (free s11) (free s21) (free s31) (free s41) (free s51)
    (free s12) (free s42) (free s52)
    (free s13) (free s33) (free s53)
    (free s14) (free s24) (free s34) (free s44) (free s54)
    (beside s11 s12 down) (beside s11 s21 right)
    (beside s21 s22 down) (beside s21 s11 left) (beside s21 s31 right)
    (beside s31 s21 left) (beside s31 s41 right)
    (beside s41 s42 down) (beside s41 s31 left) (beside s41 s51 right)
    (beside s51 s52 down) (beside s51 s41 left)
    (beside s12 s11 up) (beside s12 s13 down) (beside s12 s22 right)
    (beside s22 s21 up) (beside s22 s23 down) (beside s22 s12 left)
    (beside s42 s41 up) (beside s42 s43 down) (beside s42 s52 right)
    (beside s52 s51 up) (beside s52 s53 down) (beside s52 s42 left)
    (beside s13 s12 up) (beside s13 s14 down) (beside s13 s23 right)
    (beside s23 s22 up) (beside s23 s24 down) (beside s23 s13 left) (beside s23 s33 right)
    (beside s33 s34 down) (beside s33 s23 left) (beside s33 s43 right)
    (beside s43 s42 up) (beside s43 s44 down) (beside s43 s33 left) (beside s43 s53 right)
    (beside s53 s52 up) (beside s53 s54 down) (beside s53 s43 left)
    (beside s14 s13 up) (beside s14 s24 right)
    (beside s24 s23 up) (beside s24 s14 left) (beside s24 s34 right)
    (beside s34 s33 up) (beside s34 s24 left) (beside s34 s44 right)
    (beside s44 s43 up) (beside s44 s34 left) (beside s44 s54 right)
    (beside s54 s53 up) (beside s54 s44 left))
  (:goal (and (box s31) (box s34))))
