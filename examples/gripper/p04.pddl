; 4 balls: every trip takes two of them.
(define (problem gripper-4)
  (:domain gripper)
  (:objects
    kitchen hall - room
    b1 b2 b3 b4 - ball
    left right - hand)
  (:init
    (robot-in kitchen)
    (empty left) (empty right)
    (ball-in b1 kitchen) (ball-in b2 kitchen) (ball-in b3 kitchen) (ball-in b4 kitchen))
  (:goal (and
    (ball-in b1 hall) (ball-in b2 hall) (ball-in b3 hall) (ball-in b4 hall))))
