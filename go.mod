module lastmile

go 1.26
