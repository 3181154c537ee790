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
Atom at(a)
NegatedAtomà at(a)
end_variable
begin_variable
var1
-1
3
Atom on(b)
Atom on(c)
<none of those>
end_variable
begin_variable
new-axiom
0
2
Atom derived()
NegatedAtom derved
end_variable
1
begin_mutex_group
2
0 0
1 1
end_mutex_group
begin_state
0
2
1
end_state
begin_goal
2
0 1
2 0
end_goal
2
begin_operator
move a
1
1 2
2
0 0 0 1
1 0 0 1 -1 1
3
end_operator
begin_operator
wait
0
1
0 0 -1 0
0
end_operator
1
begin_rule
1
1 1
2 1 0
end_rule
