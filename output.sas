begin_version
3
end_version
begin_metric
1
end_metric
32
begin_variable
var0
-1
2
Atom peg(h31)
Atom free(h31)
end_variable
begin_variable
var1
-1
2
Atom peg(h22)
Atom free(h22)
end_variable
begin_variable
var2
-1
2
Atom peg(h32)
Atom free(h32)
end_variable
begin_variable
var3
-1
2
Atom peg(h42)
Atom free(h42)
end_variable
begin_variable
var4
-1
2
Atom peg(h23)
Atom free(h23)
end_variable
begin_variable
var5
-1
2
Atom peg(h33)
Atom free(h33)
end_variable
begin_variable
var6
-1
2
Atom peg(h34)
Atom free(h34)
end_variable
begin_variable
var7
-1
2
Atom peg(h44)
Atom free(h44)
end_variable
begin_variable
var8
-1
2
Atom peg(h30)
Atom free(h30)
end_variable
begin_variable
var9
-1
2
Atom peg(h21)
Atom free(h21)
end_variable
begin_variable
var10
-1
2
Atom peg(h12)
Atom free(h12)
end_variable
begin_variable
var11
-1
2
Atom peg(h52)
Atom free(h52)
end_variable
begin_variable
var12
-1
2
Atom peg(h13)
Atom free(h13)
end_variable
begin_variable
var13
-1
2
Atom peg(h43)
Atom free(h43)
end_variable
begin_variable
var14
-1
2
Atom peg(h24)
Atom free(h24)
end_variable
begin_variable
var15
-1
2
Atom peg(h54)
Atom free(h54)
end_variable
begin_variable
var16
-1
2
Atom peg(h35)
Atom free(h35)
end_variable
begin_variable
var17
-1
2
Atom peg(h41)
Atom free(h41)
end_variable
begin_variable
var18
-1
2
Atom peg(h20)
Atom free(h20)
end_variable
begin_variable
var19
-1
2
Atom peg(h02)
Atom free(h02)
end_variable
begin_variable
var20
-1
2
Atom peg(h62)
Atom free(h62)
end_variable
begin_variable
var21
-1
2
Atom peg(h14)
Atom free(h14)
end_variable
begin_variable
var22
-1
2
Atom peg(h45)
Atom free(h45)
end_variable
begin_variable
var23
-1
2
Atom peg(h53)
Atom free(h53)
end_variable
begin_variable
var24
-1
2
Atom peg(h25)
Atom free(h25)
end_variable
begin_variable
var25
-1
2
Atom peg(h64)
Atom free(h64)
end_variable
begin_variable
var26
-1
2
Atom peg(h36)
Atom free(h36)
end_variable
begin_variable
var27
-1
2
Atom peg(h40)
Atom free(h40)
end_variable
begin_variable
var28
-1
2
Atom peg(h04)
Atom free(h04)
end_variable
begin_variable
var29
-1
2
Atom peg(h46)
Atom free(h46)
end_variable
begin_variable
var30
-1
2
Atom peg(h26)
Atom free(h26)
end_variable
begin_variable
phase
-1
35
acting
settling 0
settling 1
settling 2
settling 3
settling 4
settling 5
settling 6
settling 7
settling 8
settling 9
settling 10
settling 11
settling 12
settling 13
settling 14
settling 15
settling 16
settling 17
settling 18
settling 19
settling 20
settling 21
settling 22
settling 23
settling 24
settling 25
settling 26
settling 27
settling 28
settling 29
settling 30
settling 31
settling 32
settled
end_variable
0
begin_state
0
0
0
0
0
0
0
0
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
1
0
end_state
begin_goal
1
31 34
end_goal
129
begin_operator
jump h32 h31 h30
1
31 0
3
0 0 0 1
0 2 0 1
0 8 1 0
0
end_operator
begin_operator
jump h23 h22 h21
1
31 0
3
0 1 0 1
0 4 0 1
0 9 1 0
0
end_operator
begin_operator
jump h32 h22 h12
1
31 0
3
0 1 0 1
0 2 0 1
0 10 1 0
0
end_operator
begin_operator
jump h32 h42 h52
1
31 0
3
0 2 0 1
0 3 0 1
0 11 1 0
0
end_operator
begin_operator
jump h33 h23 h13
1
31 0
3
0 4 0 1
0 5 0 1
0 12 1 0
0
end_operator
begin_operator
jump h23 h33 h43
1
31 0
3
0 4 0 1
0 5 0 1
0 13 1 0
0
end_operator
begin_operator
jump h44 h34 h24
1
31 0
3
0 6 0 1
0 7 0 1
0 14 1 0
0
end_operator
begin_operator
jump h22 h23 h24
1
31 0
3
0 1 0 1
0 4 0 1
0 14 1 0
0
end_operator
begin_operator
jump h34 h44 h54
1
31 0
3
0 6 0 1
0 7 0 1
0 15 1 0
0
end_operator
begin_operator
jump h33 h34 h35
1
31 0
3
0 5 0 1
0 6 0 1
0 16 1 0
0
end_operator
begin_operator
jump h21 h31 h41
1
31 0
3
0 0 0 1
0 9 0 1
0 17 1 0
0
end_operator
begin_operator
jump h22 h21 h20
1
31 0
3
0 1 0 1
0 9 0 1
0 18 1 0
0
end_operator
begin_operator
jump h22 h12 h02
1
31 0
3
0 1 0 1
0 10 0 1
0 19 1 0
0
end_operator
begin_operator
jump h42 h52 h62
1
31 0
3
0 3 0 1
0 11 0 1
0 20 1 0
0
end_operator
begin_operator
jump h12 h13 h14
1
31 0
3
0 10 0 1
0 12 0 1
0 21 1 0
0
end_operator
begin_operator
jump h43 h44 h45
1
31 0
3
0 7 0 1
0 13 0 1
0 22 1 0
0
end_operator
begin_operator
jump h43 h42 h41
1
31 0
3
0 3 0 1
0 13 0 1
0 17 1 0
0
end_operator
begin_operator
jump h33 h43 h53
1
31 0
3
0 5 0 1
0 13 0 1
0 23 1 0
0
end_operator
begin_operator
jump h23 h24 h25
1
31 0
3
0 4 0 1
0 14 0 1
0 24 1 0
0
end_operator
begin_operator
jump h34 h24 h14
1
31 0
3
0 6 0 1
0 14 0 1
0 21 1 0
0
end_operator
begin_operator
jump h44 h54 h64
1
31 0
3
0 7 0 1
0 15 0 1
0 25 1 0
0
end_operator
begin_operator
jump h34 h35 h36
1
31 0
3
0 6 0 1
0 16 0 1
0 26 1 0
0
end_operator
begin_operator
jump h34 h33 h32
1
31 0
3
0 2 1 0
0 5 0 1
0 6 0 1
0
end_operator
begin_operator
jump h52 h42 h32
1
31 0
3
0 2 1 0
0 3 0 1
0 11 0 1
0
end_operator
begin_operator
jump h12 h22 h32
1
31 0
3
0 1 0 1
0 2 1 0
0 10 0 1
0
end_operator
begin_operator
jump h30 h31 h32
1
31 0
3
0 0 0 1
0 2 1 0
0 8 0 1
0
end_operator
begin_operator
jump h33 h32 h31
1
31 0
3
0 0 1 0
0 2 0 1
0 5 0 1
0
end_operator
begin_operator
jump h43 h33 h23
1
31 0
3
0 4 1 0
0 5 0 1
0 13 0 1
0
end_operator
begin_operator
jump h21 h22 h23
1
31 0
3
0 1 0 1
0 4 1 0
0 9 0 1
0
end_operator
begin_operator
jump h24 h23 h22
1
31 0
3
0 1 1 0
0 4 0 1
0 14 0 1
0
end_operator
begin_operator
jump h42 h32 h22
1
31 0
3
0 1 1 0
0 2 0 1
0 3 0 1
0
end_operator
begin_operator
jump h44 h43 h42
1
31 0
3
0 3 1 0
0 7 0 1
0 13 0 1
0
end_operator
begin_operator
jump h22 h32 h42
1
31 0
3
0 1 0 1
0 2 0 1
0 3 1 0
0
end_operator
begin_operator
jump h35 h34 h33
1
31 0
3
0 5 1 0
0 6 0 1
0 16 0 1
0
end_operator
begin_operator
jump h31 h32 h33
1
31 0
3
0 0 0 1
0 2 0 1
0 5 1 0
0
end_operator
begin_operator
jump h24 h34 h44
1
31 0
3
0 6 0 1
0 7 1 0
0 14 0 1
0
end_operator
begin_operator
jump h42 h43 h44
1
31 0
3
0 3 0 1
0 7 1 0
0 13 0 1
0
end_operator
begin_operator
jump h54 h44 h34
1
31 0
3
0 6 1 0
0 7 0 1
0 15 0 1
0
end_operator
begin_operator
jump h32 h33 h34
1
31 0
3
0 2 0 1
0 5 0 1
0 6 1 0
0
end_operator
begin_operator
jump h41 h42 h43
1
31 0
3
0 3 0 1
0 13 1 0
0 17 0 1
0
end_operator
begin_operator
jump h41 h31 h21
1
31 0
3
0 0 0 1
0 9 1 0
0 17 0 1
0
end_operator
begin_operator
jump h42 h41 h40
1
31 0
3
0 3 0 1
0 17 0 1
0 27 1 0
0
end_operator
begin_operator
jump h20 h30 h40
1
31 0
3
0 8 0 1
0 18 0 1
0 27 1 0
0
end_operator
begin_operator
jump h02 h12 h22
1
31 0
3
0 1 1 0
0 10 0 1
0 19 0 1
0
end_operator
begin_operator
jump h62 h52 h42
1
31 0
3
0 3 1 0
0 11 0 1
0 20 0 1
0
end_operator
begin_operator
jump h14 h24 h34
1
31 0
3
0 6 1 0
0 14 0 1
0 21 0 1
0
end_operator
begin_operator
jump h14 h13 h12
1
31 0
3
0 10 1 0
0 12 0 1
0 21 0 1
0
end_operator
begin_operator
jump h24 h14 h04
1
31 0
3
0 14 0 1
0 21 0 1
0 28 1 0
0
end_operator
begin_operator
jump h45 h35 h25
1
31 0
3
0 16 0 1
0 22 0 1
0 24 1 0
0
end_operator
begin_operator
jump h45 h44 h43
1
31 0
3
0 7 0 1
0 13 1 0
0 22 0 1
0
end_operator
begin_operator
jump h44 h45 h46
1
31 0
3
0 7 0 1
0 22 0 1
0 29 1 0
0
end_operator
begin_operator
jump h52 h53 h54
1
31 0
3
0 11 0 1
0 15 1 0
0 23 0 1
0
end_operator
begin_operator
jump h54 h53 h52
1
31 0
3
0 11 1 0
0 15 0 1
0 23 0 1
0
end_operator
begin_operator
jump h25 h24 h23
1
31 0
3
0 4 1 0
0 14 0 1
0 24 0 1
0
end_operator
begin_operator
jump h25 h35 h45
1
31 0
3
0 16 0 1
0 22 1 0
0 24 0 1
0
end_operator
begin_operator
jump h24 h25 h26
1
31 0
3
0 14 0 1
0 24 0 1
0 30 1 0
0
end_operator
begin_operator
jump h64 h54 h44
1
31 0
3
0 7 1 0
0 15 0 1
0 25 0 1
0
end_operator
begin_operator
jump h36 h35 h34
1
31 0
3
0 6 1 0
0 16 0 1
0 26 0 1
0
end_operator
begin_operator
jump h40 h30 h20
1
31 0
3
0 8 0 1
0 18 1 0
0 27 0 1
0
end_operator
begin_operator
jump h04 h14 h24
1
31 0
3
0 14 1 0
0 21 0 1
0 28 0 1
0
end_operator
begin_operator
jump h46 h36 h26
1
31 0
3
0 26 0 1
0 29 0 1
0 30 1 0
0
end_operator
begin_operator
jump h26 h36 h46
1
31 0
3
0 26 0 1
0 29 1 0
0 30 0 1
0
end_operator
begin_operator
end
0
1
0 31 0 1
0
end_operator
begin_operator
collect 0
1
18 1
1
0 31 1 2
0
end_operator
begin_operator
forgo 0
0
1
0 31 1 2
5
end_operator
begin_operator
collect 1
1
8 1
1
0 31 2 3
0
end_operator
begin_operator
forgo 1
0
1
0 31 2 3
4
end_operator
begin_operator
collect 2
1
27 1
1
0 31 3 4
0
end_operator
begin_operator
forgo 2
0
1
0 31 3 4
5
end_operator
begin_operator
collect 3
1
9 1
1
0 31 4 5
0
end_operator
begin_operator
forgo 3
0
1
0 31 4 5
4
end_operator
begin_operator
collect 4
1
0 1
1
0 31 5 6
0
end_operator
begin_operator
forgo 4
0
1
0 31 5 6
3
end_operator
begin_operator
collect 5
1
17 1
1
0 31 6 7
0
end_operator
begin_operator
forgo 5
0
1
0 31 6 7
4
end_operator
begin_operator
collect 6
1
19 1
1
0 31 7 8
0
end_operator
begin_operator
forgo 6
0
1
0 31 7 8
5
end_operator
begin_operator
collect 7
1
10 1
1
0 31 8 9
0
end_operator
begin_operator
forgo 7
0
1
0 31 8 9
4
end_operator
begin_operator
collect 8
1
1 1
1
0 31 9 10
0
end_operator
begin_operator
forgo 8
0
1
0 31 9 10
3
end_operator
begin_operator
collect 9
1
2 1
1
0 31 10 11
0
end_operator
begin_operator
forgo 9
0
1
0 31 10 11
2
end_operator
begin_operator
collect 10
1
3 1
1
0 31 11 12
0
end_operator
begin_operator
forgo 10
0
1
0 31 11 12
3
end_operator
begin_operator
collect 11
1
11 1
1
0 31 12 13
0
end_operator
begin_operator
forgo 11
0
1
0 31 12 13
4
end_operator
begin_operator
collect 12
1
20 1
1
0 31 13 14
0
end_operator
begin_operator
forgo 12
0
1
0 31 13 14
5
end_operator
begin_operator
collect 13
0
1
0 31 14 15
0
end_operator
begin_operator
forgo 13
0
1
0 31 14 15
4
end_operator
begin_operator
collect 14
1
12 1
1
0 31 15 16
0
end_operator
begin_operator
forgo 14
0
1
0 31 15 16
3
end_operator
begin_operator
collect 15
1
4 1
1
0 31 16 17
0
end_operator
begin_operator
forgo 15
0
1
0 31 16 17
2
end_operator
begin_operator
collect 16
1
5 1
1
0 31 17 18
0
end_operator
begin_operator
forgo 16
0
1
0 31 17 18
1
end_operator
begin_operator
collect 17
1
13 1
1
0 31 18 19
0
end_operator
begin_operator
forgo 17
0
1
0 31 18 19
2
end_operator
begin_operator
collect 18
1
23 1
1
0 31 19 20
0
end_operator
begin_operator
forgo 18
0
1
0 31 19 20
3
end_operator
begin_operator
collect 19
0
1
0 31 20 21
0
end_operator
begin_operator
forgo 19
0
1
0 31 20 21
4
end_operator
begin_operator
collect 20
1
28 1
1
0 31 21 22
0
end_operator
begin_operator
forgo 20
0
1
0 31 21 22
5
end_operator
begin_operator
collect 21
1
21 1
1
0 31 22 23
0
end_operator
begin_operator
forgo 21
0
1
0 31 22 23
4
end_operator
begin_operator
collect 22
1
14 1
1
0 31 23 24
0
end_operator
begin_operator
forgo 22
0
1
0 31 23 24
3
end_operator
begin_operator
collect 23
1
6 1
1
0 31 24 25
0
end_operator
begin_operator
forgo 23
0
1
0 31 24 25
2
end_operator
begin_operator
collect 24
1
7 1
1
0 31 25 26
0
end_operator
begin_operator
forgo 24
0
1
0 31 25 26
3
end_operator
begin_operator
collect 25
1
15 1
1
0 31 26 27
0
end_operator
begin_operator
forgo 25
0
1
0 31 26 27
4
end_operator
begin_operator
collect 26
1
25 1
1
0 31 27 28
0
end_operator
begin_operator
forgo 26
0
1
0 31 27 28
5
end_operator
begin_operator
collect 27
1
24 1
1
0 31 28 29
0
end_operator
begin_operator
forgo 27
0
1
0 31 28 29
4
end_operator
begin_operator
collect 28
1
16 1
1
0 31 29 30
0
end_operator
begin_operator
forgo 28
0
1
0 31 29 30
3
end_operator
begin_operator
collect 29
1
22 1
1
0 31 30 31
0
end_operator
begin_operator
forgo 29
0
1
0 31 30 31
4
end_operator
begin_operator
collect 30
1
30 1
1
0 31 31 32
0
end_operator
begin_operator
forgo 30
0
1
0 31 31 32
5
end_operator
begin_operator
collect 31
1
26 1
1
0 31 32 33
0
end_operator
begin_operator
forgo 31
0
1
0 31 32 33
4
end_operator
begin_operator
collect 32
1
29 1
1
0 31 33 34
0
end_operator
begin_operator
forgo 32
0
1
0 31 33 34
5
end_operator
0
