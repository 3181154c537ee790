; 10 balls: every trip takes two of them.
(define (problem gripper-10)
  (:domain gripper)
  (:objects
    kitchen hall - room
    b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 - ball
    left right - hand)
  (:init
    (robot-in kitchen)
    (empty left) (empty right)
    (ball-in b1 kitchen) (ball-in b2 kitchen) (ball-in b3 kitchen) (ball-in b4 kitchen) (ball-in b5 kitchen) (ball-in b6 kitchen) (ball-in b7 kitchen) (ball-in b8 kitchen) (ball-in b9 kitchen) (ball-in b10 kitchen))
  (:goal (and
    (ball-in b1 hall) (ball-in b2 hall) (ball-in b3 hall) (ball-in b4 hall) (ball-in b5 hall) (ball-in b6 hall) (ball-in b7 hall) (ball-in b8 hall) (ball-in b9 hall) (ball-in b10 hall))))
