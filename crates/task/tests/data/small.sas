begin_version
3
end_version
begin_metric
1
end_metric
3
begin_variable
var0
-1
2
Atom on(lamp)
NegatedAtom on(lamp)
end_variable
begin_variable
var1
-1
3
Atom at(box, a)
Atom at(box, b)
Atom lost(box)
end_variable
begin_variable
var2
0
2
Atom found(box)
NegatedAtom found(box)
end_variable
1
begin_mutex_group
2
1 0
1 1
end_mutex_group
begin_state
1
0
1
end_state
begin_goal
1
2 0
end_goal
2
begin_operator
switch lamp
0
1
0 0 1 0
0
end_operator
begin_operator
carry box
1
0 0
1
1 2 1 1 0 1
4
end_operator
1
begin_rule
1
1 1
2 1 0
end_rule
